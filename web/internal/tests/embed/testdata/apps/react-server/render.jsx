import { readFileSync, writeFileSync } from "node:fs";
import { renderToString } from "react-dom/server";
import { App } from "./app.jsx";

const page = "dist/index.html";
writeFileSync(page, readFileSync(page, "utf8").replace('<div id="root"></div>', `<div id="root">${renderToString(<App />)}</div>`));
