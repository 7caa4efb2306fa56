//! Tables of expressions and slots, checked by hand, and rules that hold for any.
