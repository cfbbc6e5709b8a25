//! Every mutant meets its fate.
