import type { Command } from 'commander';
import type { Act } from '../../desk.js';
import { addExamples } from '../../global-options.js';
import { addObjectImport } from './import.js';
import { addObjectWithdraw } from './withdraw.js';

/** `knowledge object …`, for editors. */
export function addObjectCommands(program: Command, act: Act): void {
  const group = program.command('object').description("knowledge objects of the community catalog, the editors' own");
  addObjectImport(group, act);
  addObjectWithdraw(group, act);
  addExamples(group, 'object import ./objects --site org', 'object withdraw ID');
}
