import type { Command } from 'commander';
import type { Act } from '../../act.js';
import { addExamples } from '../../global-options.js';
import { addObjectImport } from './import.js';
import { addObjectList } from './list.js';
import { addObjectShow } from './show.js';
import { addObjectWithdraw } from './withdraw.js';

/** `knowledge object …`, for editors. */
export function addObjectCommands(program: Command, act: Act): void {
  const group = program
    .command('object')
    .description("the community catalog: what it shows, and the editors' own knowledge objects");
  addObjectImport(group, act);
  addObjectList(group, act);
  addObjectShow(group, act);
  addObjectWithdraw(group, act);
  addExamples(group, 'object import ./objects --site org', 'object list --site org', 'object withdraw ID');
}
