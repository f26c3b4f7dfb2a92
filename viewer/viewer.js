// Shows a motion: show(scene) builds the bodies, plays and scrubs. README.md says what a scene is.
"use strict";

// The shapes, each in its own axes; those with an axis have it along z.
const GEOMETRY = {
  box: (s) => new THREE.BoxGeometry(2 * s.half[0], 2 * s.half[1], 2 * s.half[2]),
  sphere: (s) => new THREE.SphereGeometry(s.radius, 32, 20),
  cylinder: (s) => new THREE.CylinderGeometry(s.radius, s.radius, s.length, 40).rotateX(Math.PI / 2),
  capsule: (s) => new THREE.CapsuleGeometry(s.radius, s.length, 8, 24).rotateX(Math.PI / 2),
  wheel: (s) => new THREE.TorusGeometry(s.radius, s.tread, 14, 40),
  hull: (s) => new THREE.ConvexGeometry(triples(s.points)),
  mesh: (s) => mesh(s.points, s.triangles),
  heights: (s) => heights(s),
  prism: (s) => prism(s),
};

function triples(list) {
  const out = [];
  for (let i = 0; i < list.length; i += 3) out.push(new THREE.Vector3(list[i], list[i + 1], list[i + 2]));
  return out;
}

function mesh(points, triangles) {
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.Float32BufferAttribute(points, 3));
  geometry.setIndex(triangles);
  geometry.computeVertexNormals();
  return geometry;
}

// As stn_builder_add_height_field: nx by ny heights, x running fastest, centered.
function heights({ nx, ny, size, heights: h }) {
  const points = [], triangles = [];
  for (let j = 0; j < ny; ++j)
    for (let i = 0; i < nx; ++i)
      points.push(size[0] * (i / (nx - 1) - 0.5), size[1] * (j / (ny - 1) - 0.5), h[i + nx * j]);
  for (let j = 0; j + 1 < ny; ++j)
    for (let i = 0; i + 1 < nx; ++i) {
      const a = i + nx * j;
      triangles.push(a, a + 1, a + nx, a + 1, a + nx + 1, a + nx);
    }
  return mesh(points, triangles);
}

// A closed outline x y x y ... in the plane z = 0, as thick as depth.
function prism({ outline, depth }) {
  const shape = new THREE.Shape();
  for (let i = 0; i < outline.length; i += 2) shape[i ? "lineTo" : "moveTo"](outline[i], outline[i + 1]);
  return new THREE.ExtrudeGeometry(shape, { depth, bevelEnabled: false }).translate(0, 0, -depth / 2);
}

function place(object, pose, at = 0) {
  object.position.fromArray(pose, at);
  object.quaternion.set(pose[at + 4], pose[at + 5], pose[at + 6], pose[at + 3]); // w comes first in the scene
}

function build({ shapes = [], color = "#8fb3d9" }) {
  const group = new THREE.Group();
  for (const shape of shapes) {
    const geometry = GEOMETRY[shape.kind](shape);
    const paint = new THREE.MeshLambertMaterial({ color: shape.color || color, side: THREE.DoubleSide });
    const solid = new THREE.Mesh(geometry, paint);
    const edges = new THREE.EdgesGeometry(geometry, 30);
    solid.add(new THREE.LineSegments(edges, new THREE.LineBasicMaterial({ color: "#333" })));
    if (shape.pose) place(solid, shape.pose);
    group.add(solid);
  }
  return group;
}

function show({ title = "Stiction", up = [0, 0, 1], view = [0.6, -1, 0.5], ground = {}, bodies, frames }) {
  const by = (id) => document.getElementById(id);
  const slider = by("time"), button = by("play");
  document.title = by("title").textContent = title;

  const renderer = new THREE.WebGLRenderer({ antialias: true });
  renderer.setPixelRatio(window.devicePixelRatio);
  document.body.prepend(renderer.domElement);
  const world = new THREE.Scene();
  world.background = new THREE.Color("#f4f2ee");
  world.add(new THREE.HemisphereLight("#ffffff", "#8d8577", 2.2));
  const sun = new THREE.DirectionalLight("#ffffff", 1.6);
  sun.position.set(view[0] + 2 * up[0], view[1] + 2 * up[1], view[2] + 2 * up[2]);
  world.add(sun, build({ color: "#d8cfc0", ...ground }));
  const groups = bodies.map(build);
  world.add(...groups);

  const from = new THREE.Quaternion(), to = new THREE.Quaternion();
  const first = frames[0][0], last = frames[frames.length - 1][0];
  let now = first, playing = false;

  // Between two frames places move straight and rotations along the shortest arc.
  function seek(t) {
    now = Math.min(Math.max(t, first), last);
    let low = 0, high = frames.length - 1;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (frames[middle][0] <= now) low = middle;
      else high = middle;
    }
    const a = frames[low], b = frames[high];
    const part = b[0] > a[0] ? (now - a[0]) / (b[0] - a[0]) : 0;
    groups.forEach((group, i) => {
      const at = 1 + 7 * i;
      place(group, b, at);
      to.copy(group.quaternion);
      place(group, a, at);
      from.copy(group.quaternion);
      group.quaternion.slerpQuaternions(from, to, part);
      for (const [k, axis] of ["x", "y", "z"].entries()) group.position[axis] += part * (b[at + k] - a[at + k]);
    });
    slider.value = now;
    by("clock").textContent = `${now.toFixed(3)} s`;
  }

  // The camera stands where everything that moves stays in sight.
  const room = new THREE.Box3();
  for (const t of [first, (first + last) / 2, last]) {
    seek(t);
    groups.forEach((group) => room.expandByObject(group));
  }
  const ball = room.getBoundingSphere(new THREE.Sphere());
  const camera = new THREE.PerspectiveCamera(40, 1, ball.radius / 100, ball.radius * 100);
  camera.up.fromArray(up);
  camera.position.fromArray(view).normalize().multiplyScalar(2.6 * ball.radius).add(ball.center);
  const controls = new THREE.OrbitControls(camera, renderer.domElement);
  controls.target.copy(ball.center);

  function render() {
    controls.update();
    renderer.render(world, camera);
  }
  function resize() {
    renderer.setSize(window.innerWidth, window.innerHeight);
    camera.aspect = window.innerWidth / window.innerHeight;
    camera.updateProjectionMatrix();
  }
  function play(on) {
    playing = on;
    if (on && now >= last) seek(first);
    button.textContent = on ? "Pause" : "Play";
  }
  let before = 0;
  function loop(stamp) {
    const passed = Math.min((stamp - before) / 1000, 0.1); // a hidden page does not jump
    before = stamp;
    if (playing) {
      seek(now + passed * Number(by("rate").value));
      if (now >= last) play(false);
    }
    render();
    requestAnimationFrame(loop);
  }

  slider.min = first;
  slider.max = last;
  if (last - first < 2) by("rate").value = "0.1"; // nobody sees what is over at once
  slider.addEventListener("input", () => { play(false); seek(Number(slider.value)); });
  button.addEventListener("click", () => play(!playing));
  window.addEventListener("resize", resize);
  resize();
  seek(first);
  requestAnimationFrame(loop);
  // For whoever drives the page from outside, such as a test.
  window.viewer = { groups, renderer, render, first, last, get now() { return now; }, get playing() { return playing; } };
}
