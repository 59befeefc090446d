async () => {
  const wrong = [];
  const progress = { engine: [], weights: [], ready: [] };
  const engine = await window.start({ workers: 2, onProgress: ({ stage, loaded, total }) => progress[stage].push([loaded, total]) });
  for (const stage of ["engine", "weights"]) {
    const seen = progress[stage];
    const [loaded, total] = seen.at(-1) ?? [];
    if (!(total > 1e6) || loaded !== total || seen.some(([loaded, all]) => loaded > all || all !== total)) {
      wrong.push(`${stage} arrived as ${JSON.stringify(seen.slice(0, 3))} … ${JSON.stringify(seen.slice(-3))}`);
    }
  }

  // The camera shows discs in red, green and blue in turn.
  const video = document.querySelector("video");
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 160;
  const look = () => {
    const context = canvas.getContext("2d", { willReadFrequently: true });
    context.drawImage(video, (video.videoWidth - video.videoHeight) / 2, 0, video.videoHeight, video.videoHeight, 0, 0, 160, 160);
    const rgb = Array.from(context.getImageData(80, 80, 1, 1).data.subarray(0, 3));
    const most = Math.max(...rgb);
    return most > 140 ? ["red", "green", "blue"][rgb.indexOf(most)] : undefined;
  };
  const shown = async (wanted) => {
    for (const end = performance.now() + 30000; performance.now() < end; ) {
      if (look() === wanted) return canvas;
      await new Promise((resolve) => setTimeout(resolve, 15));
    }
    throw new Error(`the camera never shows ${wanted}`);
  };
  for (const label of ["red", "green", "blue"]) {
    const id = await engine.addClass(label);
    await engine.addExample(id, await shown(label));
  }
  const ask = async (how) => {
    for (const label of ["blue", "red", "green"]) {
      const said = (await engine.classify(await shown(label))).scores[0].label;
      if (said !== label) wrong.push(`${how}: ${label} is taken for ${said}`);
    }
  };
  await ask("one pass");

  // Crops are encoded by a worker that the first worker has started.
  await engine.configure({ embedder: { kind: "grid", grid: [2] } });
  if (engine.info.workers !== 2) wrong.push(`${engine.info.workers} workers, want 2`);
  await ask("crops");
  engine.dispose();

  const ear = await window.start({ sound: true });
  if (!ear.info.sound || ear.info.name !== "resnet12-sound") wrong.push(`the engine for sounds runs ${JSON.stringify(ear.info)}`);
  ear.dispose();

  const { objective } = await window.emd(Float64Array.of(0, 1, 2, 0), Float64Array.of(3, 1), Float64Array.of(2, 2));
  if (objective !== 1) wrong.push(`the solver moves it for ${objective}, want 1`);
  return wrong;
};
