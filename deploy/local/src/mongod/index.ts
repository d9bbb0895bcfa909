export { findMongodBinary, type MongodBinary } from './find.js';
export { describeMongod, mongodUri, readDataVersion } from './program.js';
