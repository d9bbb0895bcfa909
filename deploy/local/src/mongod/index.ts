export {
  type FindMongodbOptions,
  type FoundMongodb,
  findMongodBinary,
  findMongodb,
  type MongodBinary,
  MongodbNotFoundError,
} from './find.js';
export type { MongodExit, SpawnedMongod } from './spawn.js';
export { type KeptMongod, keptMongod, type RunningMongod, type StartMongodOptions, startMongod } from './start.js';
export {
  type ReplicaSetMember,
  type RunningReplicaSet,
  type StartReplicaSetOptions,
  startReplicaSet,
} from './start-replica-set.js';
