import { Command, type HelpContext } from 'commander';

/** A command that refuses `unknown --help`, where commander would print the help of the group. */
export class DeskCommand extends Command {
  override createCommand(name?: string): DeskCommand {
    return new DeskCommand(name);
  }

  override outputHelp(context?: HelpContext | ((text: string) => string)): void {
    const [name] = this.args;
    // Parse again without `--help`, so that commander reports the unknown command.
    if (this.commands.length > 0 && name !== undefined && this.isUnknown(name)) this.parse([name], { from: 'user' });
    super.outputHelp(context as HelpContext);
  }

  private isUnknown(name: string): boolean {
    const known = this.commands.some((each) => each.name() === name || each.aliases().includes(name));
    return !known && name !== 'help' && !name.startsWith('-');
  }
}
