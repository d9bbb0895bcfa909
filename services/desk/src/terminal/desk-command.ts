import { Command, type HelpContext, Option } from 'commander';
import { serviceNames } from '../base/services.js';

/** A command that refuses `unknown --help`. Commander itself would print the help of the parent command. */
export class DeskCommand extends Command {
  override createCommand(name?: string): DeskCommand {
    return new DeskCommand(name);
  }

  override outputHelp(context?: HelpContext | ((text: string) => string)): void {
    const [name] = this.args;
    // Without `--help` commander finds the unknown command and reports it, so this parses again.
    if (this.commands.length > 0 && name !== undefined && this.isUnknown(name)) this.parse([name], { from: 'user' });
    super.outputHelp(context as HelpContext);
  }

  private isUnknown(name: string) {
    const known = this.commands.some((each) => each.name() === name || each.aliases().includes(name));
    return !known && name !== 'help' && !name.startsWith('-');
  }
}

/** Adds the options that every command accepts. They may stand before or after the command's name. */
export function addGlobalOptions(program: Command): void {
  program.option('--json', 'print JSON for programs, nothing else on standard output');
  program.option('--yes', 'do not ask before a mail is sent, a step that cannot be undone, or an old text is put back');
  program.option('--actor <name>', 'your name, stored with every change (KNOWLEDGE_ACTOR; default desk:<your user>)');
  program.option('--data-dir <dir>', 'the data directory of a local start (DATA_DIR; default ./.data)');
  for (const name of serviceNames) {
    const variable = `KNOWLEDGE_${name.toUpperCase()}_ADDRESS`;
    program.addOption(new Option(`--${name} <host:port>`, `where ${name} is (${variable})`));
  }
  program.option('--tls-ca <file>', 'use TLS; the certificate authority of the services, PEM (KNOWLEDGE_TLS_CA)');
  program.option('--tls-cert <file>', 'our certificate for mutual TLS, PEM (KNOWLEDGE_TLS_CERT)');
  program.option('--tls-key <file>', 'its private key, PEM (KNOWLEDGE_TLS_KEY)');
}

/** Lists the global options that every help text shows. Only `knowledge --help` shows the others. */
export function frequentGlobalOptions(command: Command): Option[] {
  const [program] = ancestors(command).slice(-1);
  return program === undefined ? [] : program.options.filter(({ long }) => frequent.has(long ?? ''));
}

const frequent: ReadonlySet<string> = new Set(['--json', '--yes', '--actor', '--data-dir']);

function ancestors(command: Command): Command[] {
  return command.parent === null ? [] : [command.parent, ...ancestors(command.parent)];
}

/** Adds examples to the end of a command's help text. */
export function addExamples(command: Command, ...lines: readonly string[]): Command {
  return command.addHelpText('after', `\nExamples:\n${lines.map((line) => `  $ knowledge ${line}`).join('\n')}\n`);
}
