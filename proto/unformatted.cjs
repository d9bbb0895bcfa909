// Loaded before ts-proto, which spends half of its time on the format of code that hardly anybody reads.
const { createRequire } = require('node:module');

const requireOfTsPoet = createRequire(createRequire(require.resolve('ts-proto')).resolve('ts-poet'));
requireOfTsPoet('dprint-node').format = (_path, code) => code;
