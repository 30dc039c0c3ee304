import type { ChildProcess, Serializable } from 'node:child_process';
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Answers differ by their kind; one of the kind `ready` comes when a process can begin. */
type SomeAnswer = { readonly kind: string };

/** A process that a tool begins: it gives one answer to each order. */
export class AskedProcess<Order extends Serializable, Answer extends SomeAnswer> {
  readonly #child: ChildProcess;
  #isStopped = false;

  private constructor(program: URL) {
    this.#child = fork(fileURLToPath(program), {
      execArgv: ['--import', 'tsx'],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
  }

  /** Begins a process. @throws Error if it ends before it is ready. */
  static async begin<Order extends Serializable, Answer extends SomeAnswer>(
    program: URL,
  ): Promise<AskedProcess<Order, Answer>> {
    const begun = new AskedProcess<Order, Answer>(program);
    await begun.#answer('ready');
    return begun;
  }

  /** The number of the process. */
  get pid(): number {
    return this.#child.pid ?? NaN;
  }

  /**
   * Asks for one thing after the other.
   * @param kind of the answer.
   * @throws Error with one sentence if there is another answer, or none.
   */
  ask<Kind extends Answer['kind']>(
    order: Order,
    kind: Kind,
  ): Promise<Extract<Answer, { readonly kind: Kind }>> {
    const answer = this.#answer(kind);
    this.#child.send(order);
    return answer;
  }

  stop(): void {
    this.#isStopped = true;
    this.#child.kill();
  }

  #answer<Kind extends Answer['kind']>(kind: Kind): Promise<Extract<Answer, { readonly kind: Kind }>> {
    const child = this.#child;
    return new Promise((resolve, reject) => {
      const end = (): void => {
        child.off('message', take);
        child.off('exit', died);
      };
      const take = (answer: Answer): void => {
        end();
        if (isOf(answer, kind)) resolve(answer);
        else reject(new Error(`A process was to answer "${kind}", and answered "${answer.kind}".`));
      };
      const died = (): void => {
        end();
        if (!this.#isStopped) reject(new Error('A process that was asked has died.'));
      };
      child.on('message', take);
      child.on('exit', died);
    });
  }
}

function isOf<Answer extends SomeAnswer, Kind extends Answer['kind']>(
  answer: Answer,
  kind: Kind,
): answer is Extract<Answer, { readonly kind: Kind }> {
  return answer.kind === kind;
}
