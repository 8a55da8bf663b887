//! OpenH264's encoder, held by the few calls that are needed.
//!
//! The `openh264` crate's own encoder keeps two things from its callers that a film needs: the
//! quantiser of a single picture and the entropy coder. So this module speaks to the C interface
//! (`openh264-sys2`) itself. It is the only place in the crate where unsafe code stands. What makes
//! it sound:
//!
//! - the encoder pointer comes from `WelsCreateSVCEncoder`, is never handed out, and is destroyed
//!   exactly once, in `Drop`;
//! - function pointers are taken from its table once and are checked to be there;
//! - a picture is borrowed for the time of the call, and its length is checked against the size
//!   that the encoder was opened with; OpenH264 only reads from it;
//! - the bytes of the coded picture are handed on before the next call, with the lengths that
//!   OpenH264 states.
#![allow(unsafe_code)]

use std::os::raw::{c_int, c_void};
use std::ptr::null_mut;

use openh264::OpenH264API;
use openh264_sys2::{
    API, ENCODER_OPTION_SVC_ENCODE_PARAM_EXT, ENCODER_OPTION_TRACE_LEVEL, ISVCEncoder,
    ISVCEncoderVtbl, MEDIUM_COMPLEXITY, PRO_HIGH, RC_OFF_MODE, SEncParamExt, SFrameBSInfo,
    SM_SINGLE_SLICE, SSourcePicture, WELS_LOG_QUIET, videoFormatI420,
};

/// Why OpenH264 gave no picture.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("OpenH264's {call} failed with code {code}")]
pub(super) struct CodecError {
    call: &'static str,
    code: c_int,
}

fn check(call: &'static str, code: c_int) -> Result<(), CodecError> {
    match code {
        0 => Ok(()),
        code => Err(CodecError { call, code }),
    }
}

/// An encoder of one sequence of pictures of one size.
pub(super) struct Codec {
    api: OpenH264API,
    encoder: *mut ISVCEncoder,
    params: SEncParamExt,
    info: Box<SFrameBSInfo>,
    ready: bool,
}

// The encoder has no tie to the thread that made it; `Codec` is used by one thread at a time.
unsafe impl Send for Codec {}

impl Codec {
    /// Opens an encoder: High profile, CABAC, one reference, one slice, no rate control, BT.709
    /// limited range, keyframes only where they are asked for.
    pub fn new(width: u32, height: u32, fps: u32, qp: u8) -> Result<Self, CodecError> {
        let api = OpenH264API::from_source();
        let mut encoder: *mut ISVCEncoder = null_mut();
        // SAFETY: the pointer to write to is valid; the result is checked before it is used.
        check("WelsCreateSVCEncoder", unsafe {
            api.WelsCreateSVCEncoder(&raw mut encoder)
        })?;
        if encoder.is_null() {
            return Err(CodecError {
                call: "WelsCreateSVCEncoder",
                code: -1,
            });
        }
        let mut codec = Codec {
            api,
            encoder,
            params: SEncParamExt::default(),
            info: Box::default(),
            ready: false,
        };
        let table = codec.table();
        let (Some(defaults), Some(initialize)) = (table.GetDefaultParams, table.InitializeExt)
        else {
            return Err(missing());
        };
        // SAFETY: the encoder is alive and `params` is a whole parameter set.
        check("GetDefaultParams", unsafe {
            defaults(codec.encoder, &raw mut codec.params)
        })?;
        let p = &mut codec.params;
        (p.iPicWidth, p.iPicHeight) = (width as c_int, height as c_int);
        p.fMaxFrameRate = fps as f32;
        p.iRCMode = RC_OFF_MODE;
        p.iTargetBitrate = 50_000_000;
        p.bEnableFrameSkip = false;
        p.iMultipleThreadIdc = 1;
        p.bEnableSceneChangeDetect = false;
        p.bEnableBackgroundDetection = false;
        p.bEnableAdaptiveQuant = false;
        p.bEnableLongTermReference = false;
        p.bEnableDenoise = false;
        // On moving lines, medium takes fewer bytes at a higher quality than low, in the same time;
        // high does exactly what medium does.
        p.iComplexityMode = MEDIUM_COMPLEXITY;
        p.uiIntraPeriod = 0;
        p.iNumRefFrame = 1;
        p.iEntropyCodingModeFlag = 1;
        (p.iMinQp, p.iMaxQp) = (0, 51);
        (p.iSpatialLayerNum, p.iTemporalLayerNum) = (1, 1);
        let layer = &mut p.sSpatialLayers[0];
        (layer.iVideoWidth, layer.iVideoHeight) = (width as c_int, height as c_int);
        layer.fFrameRate = fps as f32;
        layer.iSpatialBitrate = 50_000_000;
        layer.iMaxSpatialBitrate = 0;
        layer.uiProfileIdc = PRO_HIGH;
        layer.iDLayerQp = c_int::from(qp);
        layer.sSliceArgument.uiSliceMode = SM_SINGLE_SLICE;
        layer.sSliceArgument.uiSliceNum = 1;
        layer.bVideoSignalTypePresent = true;
        layer.uiVideoFormat = 5;
        layer.bFullRange = false;
        layer.bColorDescriptionPresent = true;
        layer.uiColorPrimaries = 1;
        layer.uiTransferCharacteristics = 1;
        layer.uiColorMatrix = 1;

        let mut quiet = WELS_LOG_QUIET;
        codec.set(ENCODER_OPTION_TRACE_LEVEL, (&raw mut quiet).cast())?;
        // SAFETY: as above.
        check("InitializeExt", unsafe {
            initialize(codec.encoder, &raw const codec.params)
        })?;
        codec.ready = true;
        let mut format = videoFormatI420;
        codec.set(
            openh264_sys2::ENCODER_OPTION_DATAFORMAT,
            (&raw mut format).cast(),
        )?;
        Ok(codec)
    }

    fn table(&self) -> &ISVCEncoderVtbl {
        // SAFETY: the encoder is a C++ object whose first word points to its table of functions,
        // which lives as long as the program.
        unsafe { &**self.encoder }
    }

    fn set(&self, option: c_int, value: *mut c_void) -> Result<(), CodecError> {
        let set = self.table().SetOption.ok_or_else(missing)?;
        // SAFETY: the callers pass a pointer to a value of the type that the option has.
        check("SetOption", unsafe {
            set(self.encoder, option as _, value)
        })
    }

    /// Sets the quantiser for the pictures to come, 0 (finest) to 51.
    pub fn set_qp(&mut self, qp: u8) -> Result<(), CodecError> {
        let qp = c_int::from(qp.min(51));
        if self.params.sSpatialLayers[0].iDLayerQp == qp {
            return Ok(());
        }
        self.params.sSpatialLayers[0].iDLayerQp = qp;
        let mut params = self.params;
        // Nothing that would make OpenH264 start afresh has changed in it.
        self.set(
            ENCODER_OPTION_SVC_ENCODE_PARAM_EXT,
            (&raw mut params).cast(),
        )
    }

    /// Encodes one picture: planes Y, Cb, Cr one after the other without padding. `take` gets its
    /// NAL units without start codes, in order; parameter sets are among them.
    pub fn encode(
        &mut self,
        picture: &[u8],
        mut take: impl FnMut(&[u8]),
    ) -> Result<(), CodecError> {
        let (w, h) = (self.params.iPicWidth, self.params.iPicHeight);
        let luma = w as usize * h as usize;
        if picture.len() != luma + luma / 2 {
            return Err(CodecError {
                call: "picture size check",
                code: -1,
            });
        }
        let encode = self.table().EncodeFrame.ok_or_else(missing)?;
        let (y, chroma) = picture.split_at(luma);
        let (u, v) = chroma.split_at(luma / 4);
        let source = SSourcePicture {
            iColorFormat: videoFormatI420,
            iStride: [w, w / 2, w / 2, 0],
            pData: [
                y.as_ptr().cast_mut(),
                u.as_ptr().cast_mut(),
                v.as_ptr().cast_mut(),
                null_mut(),
            ],
            iPicWidth: w,
            iPicHeight: h,
            uiTimeStamp: 0,
            bPsnrY: false,
            bPsnrU: false,
            bPsnrV: false,
        };
        // SAFETY: the planes are as long as strides and height say, and outlive the call.
        check("EncodeFrame", unsafe {
            encode(self.encoder, &raw const source, &raw mut *self.info)
        })?;
        let layers = usize::try_from(self.info.iLayerNum).unwrap_or(0);
        for layer in self.info.sLayerInfo.iter().take(layers) {
            let mut at = 0;
            for i in 0..usize::try_from(layer.iNalCount).unwrap_or(0) {
                // SAFETY: OpenH264 states `iNalCount` lengths, and their sum is the length of the
                // buffer; both live until the next call on this encoder.
                let nal = unsafe {
                    let length = usize::try_from(*layer.pNalLengthInByte.add(i)).unwrap_or(0);
                    let bytes = std::slice::from_raw_parts(layer.pBsBuf.add(at), length);
                    at += length;
                    bytes
                };
                take(without_start_code(nal));
            }
        }
        Ok(())
    }
}

fn missing() -> CodecError {
    CodecError {
        call: "table of functions",
        code: -1,
    }
}

fn without_start_code(nal: &[u8]) -> &[u8] {
    nal.strip_prefix(&[0, 0, 0, 1])
        .or_else(|| nal.strip_prefix(&[0, 0, 1]))
        .unwrap_or(nal)
}

impl Drop for Codec {
    fn drop(&mut self) {
        // SAFETY: the encoder is alive, nothing refers to it after this, and this runs once.
        unsafe {
            if self.ready
                && let Some(uninitialize) = (**self.encoder).Uninitialize
            {
                uninitialize(self.encoder);
            }
            self.api.WelsDestroySVCEncoder(self.encoder);
        }
    }
}

/// OpenH264's version.
pub(super) fn version() -> String {
    let api = OpenH264API::from_source();
    let mut v = openh264_sys2::OpenH264Version::default();
    // SAFETY: the pointer to write to is valid.
    unsafe { api.WelsGetCodecVersionEx(&raw mut v) };
    format!("{}.{}.{}", v.uMajor, v.uMinor, v.uRevision)
}
