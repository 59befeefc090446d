package onnx

// DecodeGraph exports decodeGraph for tests that need netfile, which imports this package.
var DecodeGraph = decodeGraph
