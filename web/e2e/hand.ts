/** A person at the page whose inputs are counted: a click, a key, a paste, a text that is typed, a reload. */
import type { Page } from 'playwright-core';

import { played, write } from './browser.ts';

/** Counts the inputs of a task. */
export class Hand {
  inputs = 0;

  constructor(readonly page: Page) {}

  async click(name: string | RegExp): Promise<void> {
    this.inputs += 1;
    await this.page.getByRole('button', { name }).first().click();
  }

  /** Clicks on the name of a row of the timeline. */
  async clickRow(name: string): Promise<void> {
    this.inputs += 1;
    await this.page.locator('.row-label', { hasText: name }).click();
  }

  /** Unfolds something. */
  async open(name: string): Promise<void> {
    this.inputs += 1;
    await this.page.locator('summary', { hasText: name }).click();
  }

  async clickAt(x: number, y: number): Promise<void> {
    this.inputs += 1;
    await this.page.mouse.click(x, y);
  }

  async press(key: string): Promise<void> {
    this.inputs += 1;
    await this.page.keyboard.press(key);
  }

  /** Pastes another manifest. */
  async paste(manifest: string): Promise<void> {
    this.inputs += 1;
    await write(this.page, manifest);
  }

  async go(link: string): Promise<void> {
    this.inputs += 1;
    await this.page.goto(link);
    await played(this.page);
  }

  async reload(): Promise<void> {
    this.inputs += 1;
    await this.page.reload();
    await played(this.page);
  }
}
