const MAX_NAMES = 5000;

/** A regular expression for names, which remembers its answers: a program asks for the same names again and again. */
export class NameTest {
  readonly #pattern: RegExp;
  readonly #answers = new Map<string, boolean>();

  constructor(pattern: RegExp) {
    this.#pattern = pattern;
  }

  test(name: string): boolean {
    let answer = this.#answers.get(name);
    if (answer === undefined) {
      answer = this.#pattern.test(name);
      if (this.#answers.size >= MAX_NAMES) this.#answers.clear();
      this.#answers.set(name, answer);
    }
    return answer;
  }
}
