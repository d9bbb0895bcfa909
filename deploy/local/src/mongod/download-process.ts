import { MongoBinary } from 'mongodb-memory-server-core/lib/util/MongoBinary.js';

// A process of its own, since the library has no way to cancel a download. It prints the path of the program last.
const [, , downloadDir = ''] = process.argv;
try {
  console.log(`\n${await MongoBinary.getPath({ downloadDir })}`);
} catch (error) {
  console.error((error as Error).message.replaceAll(/\s*\n\s*/g, ' '));
  process.exitCode = 1;
}
