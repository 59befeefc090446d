import react from "@vitejs/plugin-react";

// deepemd needs nothing here: Vite finds its worker, its engine and its network by itself.
export default { plugins: [react()] };
