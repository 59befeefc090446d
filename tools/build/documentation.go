package main

// reference is the folder in which make docs writes the reference of the JavaScript package.
const reference = "build/docs/reference"

// noReference replaces a reference that was not built.
const noReference = `<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Reference · DeepEMD</title>
<link rel="icon" href="../../web/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="../../examples/page.css">
<a class="back" href="../">← Documentation</a>
<h1>Reference</h1>
<p class="lead">This site was built without the reference, which <code>make docs</code> makes where npm is installed. Its source is here:</p>
<ul>
<li><a href="../../deepemd/deepemd.d.ts">deepemd.d.ts</a>, the engine</li>
<li><a href="../../deepemd/element.d.ts">element.d.ts</a>, the element</li>
<li><a href="../../deepemd/project.d.ts">project.d.ts</a>, projects in files</li>
<li><a href="../../deepemd/protocol.d.ts">protocol.d.ts</a>, methods and answers</li>
</ul>
</html>
`
