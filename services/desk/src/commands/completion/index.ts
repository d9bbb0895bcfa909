import { Argument, type Command } from 'commander';
import type { CommandHandler } from '../../command-handler.js';
import { addExamples } from '../../global-options.js';
import { bashScript } from './bash.js';
import { fishScript } from './fish.js';
import { type CommandNode, readTree } from './tree.js';
import { zshScript } from './zsh.js';

const scripts: Readonly<Record<string, (nodes: readonly CommandNode[]) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};

/** Adds `knowledge completion SHELL`, which prints a completion script made from the command tree. */
export function addCompletion(command: Command, handle: CommandHandler): void {
  command.addArgument(new Argument('<shell>', 'your shell').choices(Object.keys(scripts))).action(
    handle(async (session, shell: string) => {
      session.host.stdout.write(scripts[shell]?.(readTree(command.parent ?? command)) ?? '');
    }),
  );
  addExamples(
    command,
    'completion bash > ~/.local/share/bash-completion/completions/knowledge',
    'completion zsh > "${fpath[1]}/_knowledge"',
    'completion fish > ~/.config/fish/completions/knowledge.fish',
  );
}
