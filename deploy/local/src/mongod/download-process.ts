import { MongoBinary } from 'mongodb-memory-server-core/lib/util/MongoBinary.js';

// Runs as a child process, since the library cannot cancel a download. Its last line is the path of the program.
const [, , downloadDir = ''] = process.argv;
try {
  console.log(`\n${await MongoBinary.getPath({ downloadDir })}`);
} catch (error) {
  console.error((error as Error).message.replaceAll(/\s*\n\s*/g, ' '));
  process.exitCode = 1;
}
