import { relative } from 'node:path';

export interface BannerFacts {
  readonly gateway: string;
  readonly mailbox: string | null;
  readonly desk_sign_in: string;
  readonly dataDir: string;
  readonly root: string;
  readonly seconds: number;
}

/** The text that the operator sees once everything is ready. */
export function banner({ gateway, mailbox, desk_sign_in: signIn, dataDir, root, seconds }: BannerFacts): string {
  const fromHere = relative(process.cwd(), dataDir);
  const shown = fromHere.startsWith('..') ? dataDir : fromHere || '.';
  const option = relative(root, dataDir) === '.data' ? '' : `--data-dir ${shown} `;
  const rows = {
    Site: `${gateway}/`,
    'Agents start at': `${gateway}/api/agent`,
    'API to browse': `${gateway}/docs`,
    Mailbox: mailbox ?? 'none, mail goes to the SMTP_URL that is set',
    Desk: `${signIn} (works once, for ten minutes)`,
    'Another link': `npx --no-install knowledge ${option}desk sign-in`,
    'Command line': `npx --no-install knowledge ${option}status`,
    'Data and logs': `${shown}, ${shown}/logs (LOG=all npm start shows all of them here)`,
  };
  const lines = Object.entries(rows).map(([label, value]) => `    ${label.padEnd(17)}${value}`);
  return `\n  The Community Knowledge Service is ready (${seconds.toFixed(1)} s).\n\n${lines.join('\n')}\n\n  Ctrl-C stops it.\n\n`;
}
