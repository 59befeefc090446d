export default { optimizeDeps: { exclude: ["deepemd"] } };
