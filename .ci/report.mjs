// Reads what test/harness/ci-report.ts wrote in the first attempt of a suite, and in the second, where there was one.
import { existsSync, readFileSync } from 'node:fs';

const [what, ...paths] = process.argv.slice(2);
const attempts = paths.filter(existsSync).map((path) => JSON.parse(readFileSync(path, 'utf8')));
const [first] = attempts;
if (first === undefined) process.exit(1);
const last = first.map((one) => attempts.at(-1).find(({ file }) => file === one.file) ?? one);
const listed = (files) =>
  files
    .map(
      ({ file, failed }) => `  ${file}\n${failed.map(({ name, reason }) => `    ${name}\n      ${reason}\n`).join('')}`,
    )
    .join('');
const hasFailed = ({ failed }) => failed.length > 0;
/** More failed files than this are no accident, so they are not tried again. */
const mostAgain = 5;

if (what === 'again') {
  const files = first.filter(hasFailed).flatMap(({ file }) => (file.startsWith('/') ? [file] : []));
  if (files.length <= mostAgain) process.stdout.write(files.map((file) => `${file}\n`).join(''));
} else if (what === 'counts') {
  const sum = (count) => last.reduce((total, file) => total + count(file), 0);
  process.stdout.write(`${sum(({ passed }) => passed)} ${sum(({ failed }) => failed.length)}\n`);
} else if (what === 'failed') process.stdout.write(listed(last.filter(hasFailed)));
else if (what === 'mended')
  process.stdout.write(listed(first.filter((one, at) => hasFailed(one) && !hasFailed(last[at]))));
