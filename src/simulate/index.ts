// Simulated play on any navmesh: honest walkers and named cheats, as the events of a move log. Front of simulate/.
export type { ClientWishes } from './client.ts';
export { type GameOptions, ModelGame } from './game.ts';
export { type ClientModel, MODELS, modelNamed } from './models.ts';
export { CHEAT_KINDS, type CheatKind, type SimulateCounts, type SimulateOptions, Simulation } from './simulation.ts';
export { writeSimulation } from './write.ts';
export { ZOO, ZOO_NAMES, ZooGame, type ZooOptions } from './zoogame.ts';
