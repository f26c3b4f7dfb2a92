#!/bin/sh
# Makes three.min.js anew: the parts of three.js that viewer.js uses, in one file. Needs npm and its registry.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
npm init -y >/dev/null
npm install --silent three@0.187.0 esbuild@0.28.2
cat >parts.js <<'END'
export {
  WebGLRenderer, Scene, PerspectiveCamera, Group, Mesh, Line, LineSegments, BufferGeometry, Float32BufferAttribute,
  BoxGeometry, SphereGeometry, CylinderGeometry, CapsuleGeometry, TorusGeometry, ExtrudeGeometry, EdgesGeometry, Shape,
  MeshLambertMaterial, LineBasicMaterial, HemisphereLight, DirectionalLight, Color, Vector3, Quaternion, Box3, Sphere,
  DoubleSide,
} from "three";
export { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
export { ConvexGeometry } from "three/examples/jsm/geometries/ConvexGeometry.js";
END
npx esbuild parts.js --bundle --minify --format=iife --global-name=THREE --target=es2020 --log-level=warning \
  --legal-comments=none --outfile=three.min.js
# Pages travel alone, so the license goes with them.
{
  printf '/* three.js 0.187.0, https://threejs.org\n\n'
  iconv -f utf-8 -t ascii//TRANSLIT node_modules/three/LICENSE
  printf '*/\n'
  cat three.min.js
} >"$here/three.min.js"
