import { createApp } from "vue";
import App from "./App.vue";
import { checkElement } from "./element-check.js";

Object.assign(window, { checkElement });
createApp(App).mount("#root");
