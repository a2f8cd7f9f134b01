// Navmesh exports that others published, by their place below NAVGUARD_SAMPLES; not part of this project. Imported by
// whoever tries things on real maps.
export const PUBLISHED = [
  'go-detour/mesh2.bin',
  'go-detour/offmeshcons.bin',
  'go-detour/solomesh-develer.bin',
  'go-detour/solomesh-dungeon.bin',
  'go-detour/solomesh-stair2.bin',
  'go-detour/solomesh-twisted.bin',
  'go-detour/tilemesh-develer.bin',
  'go-detour/tilemesh-stair3.bin',
  'dotrecast/dungeon_all_tiles_navmesh_32bit.bin',
];
