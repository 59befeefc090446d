import { hydrateRoot } from "react-dom/client";
import { App } from "./app.jsx";

hydrateRoot(document.getElementById("root"), <App />, {
  onRecoverableError: (error) => console.error("not as the server rendered it:", error.message),
});
