import type { Command } from 'commander';
import type { Act } from '../../desk.js';
import { addExamples } from '../../global-options.js';
import { addPersonErase } from './erase.js';
import { addPersonExport } from './export.js';

/** `knowledge person …`, for support (protocol section 7, "Personal data"). */
export function addPersonCommands(program: Command, act: Act): void {
  const group = program.command('person').description('what is kept of a person: hand it out, or erase it');
  addPersonExport(group, act);
  addPersonErase(group, act);
  addExamples(group, 'person export --email ada@example.org > ada.json', 'person erase --email ada@example.org');
}
