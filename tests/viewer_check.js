// Runs inside a page of the viewer: what a user would see and do. Its value is the number of bodies, or what is wrong.
(async () => {
  const frame = () => new Promise((done) => requestAnimationFrame(done));
  const frames = async (n) => { for (let i = 0; i < n; ++i) await frame(); };
  const wrong = [];
  const expect = (holds, sentence) => holds || wrong.push(sentence);
  const places = () => viewer.groups.map((g) => [...g.position.toArray(), ...g.quaternion.toArray()]);
  const moved = (a, b) => a.map((pose, i) => pose.some((x, k) => Math.abs(x - b[i][k]) > 1e-6)).filter(Boolean).length;

  // The pixels, read in the task that drew them.
  const colors = () => {
    viewer.render();
    const gl = viewer.renderer.getContext(), n = gl.drawingBufferWidth * gl.drawingBufferHeight;
    const pixels = new Uint8Array(4 * n), count = new Map();
    gl.readPixels(0, 0, gl.drawingBufferWidth, gl.drawingBufferHeight, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
    for (let i = 0; i < pixels.length; i += 4) {
      const color = (pixels[i] << 16) | (pixels[i + 1] << 8) | pixels[i + 2];
      count.set(color, (count.get(color) || 0) + 1);
    }
    return { kinds: count.size, covered: 1 - Math.max(...count.values()) / n };
  };
  try {
    while (!window.viewer) await frame();
    await frames(2);
    const { kinds, covered } = colors();
    expect(kinds > 20 && covered > 0.02, `the canvas is empty: ${kinds} colors, ${covered} of it covered`);
    expect(viewer.groups.every((g) => g.children.length > 0), "a body has no shape");

    const start = places();
    document.getElementById("play").click();
    for (let i = 0; i < 60 && viewer.now === viewer.first; ++i) await frame();
    expect(viewer.playing && viewer.now > viewer.first, "play does not play");
    document.getElementById("play").click();
    const halted = viewer.now;
    await frames(5);
    expect(!viewer.playing && viewer.now === halted, "pause does not pause");

    const slider = document.getElementById("time");
    slider.value = (viewer.first + viewer.last) / 2;
    slider.dispatchEvent(new Event("input"));
    expect(Math.abs(viewer.now - (viewer.first + viewer.last) / 2) < 1e-9, "the slider does not scrub");
    expect(moved(start, places()) === viewer.groups.length, "a body does not move");
    const half = colors();
    expect(half.covered > 0.02, "the canvas is empty half way");
    slider.value = viewer.first;
    slider.dispatchEvent(new Event("input"));
    expect(moved(start, places()) === 0, "the slider does not go back");
    return wrong.length ? wrong.join("; ") : `${viewer.groups.length} bodies`;
  } catch (error) {
    return String(error);
  }
})();
