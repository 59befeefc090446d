() => window.checkElement();
