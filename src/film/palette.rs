//! The colours of tokens and themes, chosen by calculation.
