import { mount } from "svelte";
import App from "./App.svelte";
import { checkElement } from "./element-check.js";

Object.assign(window, { checkElement });
mount(App, { target: document.getElementById("root") });
