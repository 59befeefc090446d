/** The smallest ONNX model there is, y = x, in bytes. */
export function identity() {
  const text = (s) => [...new TextEncoder().encode(s)];
  const number = (field, n) => [field << 3, n];
  const part = (field, bytes) => [(field << 3) | 2, bytes.length, ...bytes];
  const value = (name) => [...part(1, text(name)), ...part(2, part(1, [...number(1, 1), ...part(2, part(1, number(1, 1)))]))];
  const node = [...part(1, text("x")), ...part(2, text("y")), ...part(4, text("Identity"))];
  const graph = [...part(1, node), ...part(2, text("identity")), ...part(11, value("x")), ...part(12, value("y"))];
  return Uint8Array.from([...number(1, 8), ...part(7, graph), ...part(8, number(2, 13))]);
}
