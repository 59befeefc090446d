package embed

// AspectOf is what tests hold against another way to compute it.
var AspectOf = aspectOf
