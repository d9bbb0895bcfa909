import { Command, type HelpContext } from 'commander';

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

  private isUnknown(name: string): boolean {
    const known = this.commands.some((each) => each.name() === name || each.aliases().includes(name));
    return !known && name !== 'help' && !name.startsWith('-');
  }
}
