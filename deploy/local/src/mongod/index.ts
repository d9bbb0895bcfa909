export { findMongodBinary, type MongodBinary } from './find.js';
