import { MongoBinary } from 'mongodb-memory-server-core/lib/util/MongoBinary.js';
import type { DownloadMessage } from './download.js';

const downloadDir = process.argv[2];
if (downloadDir === undefined || process.send === undefined) {
  throw new Error('This program is started by download.ts, with the directory and a channel to answer on.');
}

answer(await download(downloadDir));

async function download(dir: string): Promise<DownloadMessage> {
  try {
    const version = process.env.MONGOMS_VERSION;
    return { path: await MongoBinary.getPath({ downloadDir: dir, ...(version ? { version } : {}) }) };
  } catch (error) {
    return { problem: error instanceof Error ? oneLine(error) : String(error) };
  }
}

/** The library's messages have a line that names the address and lines with what happened. */
function oneLine(error: Error): string {
  return error.message.replaceAll(/\s*\n\s*/g, ' ');
}

function answer(message: DownloadMessage): void {
  process.send?.(message, () => process.disconnect());
}
