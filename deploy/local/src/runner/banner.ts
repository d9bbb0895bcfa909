import { relative } from 'node:path';
import type { LocalConfig } from './config.js';
import { localUrl } from './services.js';

export interface BannerFacts {
  readonly config: LocalConfig;
  readonly gatewayPort: number;
  readonly mailbox: string | null;
  readonly root: string;
  readonly seconds: number;
}

/** The text that the operator sees once everything is ready. */
export function banner({ config, gatewayPort, mailbox, root, seconds }: BannerFacts): string {
  const site = localUrl(gatewayPort);
  const standard = relative(root, config.dataDir) === '.data';
  const fromHere = relative(process.cwd(), config.dataDir);
  const dataDir = fromHere.startsWith('..') ? config.dataDir : fromHere || '.';
  const desk = `npx --no-install knowledge ${standard ? '' : `--data-dir ${dataDir} `}status`;
  const rows = [
    ['Site', `${site}/`],
    ['Agents start at', `${site}/api/agent`],
    ['API to browse', `${site}/docs`],
    ['Mailbox', mailbox === null ? `none, mail goes to the SMTP_URL that is set` : mailbox],
    ['The desk', desk],
    ['Data and logs', `${dataDir}, ${dataDir}/logs (LOG=all npm start shows all of them here)`],
  ];
  const lines = rows.map(([label, value]) => `    ${label?.padEnd(17)}${value}`);
  return `\n  The Community Knowledge Service is ready (${seconds.toFixed(1)} s).\n\n${lines.join('\n')}\n\n  Ctrl-C stops it.\n\n`;
}
