import react from "@vitejs/plugin-react";

// deepemd needs no configuration: Vite finds its worker, engine and model.
export default { plugins: [react()] };
