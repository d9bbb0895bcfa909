import type { Command } from 'commander';
import type { CommandHandler } from '../../command-handler.js';
import { addExamples } from '../../global-options.js';
import { addPersonBlock, addPersonUnblock } from './block.js';
import { addPersonErase } from './erase.js';
import { addPersonExport } from './export.js';
import { addPersonFind } from './find.js';
import { addPersonMailLink } from './mail-link.js';
import { addPersonShow } from './show.js';

/** Adds the commands `knowledge person …`, which support uses (gateway/PROTOCOL.md#personal-data). */
export function addPersonCommands(group: Command, handle: CommandHandler): void {
  addPersonFind(group, handle);
  addPersonShow(group, handle);
  addPersonExport(group, handle);
  addPersonMailLink(group, handle);
  addPersonErase(group, handle);
  addPersonBlock(group, handle);
  addPersonUnblock(group, handle);
  addExamples(
    group,
    'person show --email ada@example.org',
    'person export --email ada@example.org --reason "asked for by letter" > ada.json',
    'person erase --email ada@example.org --reason "asked for by letter"',
  );
}
