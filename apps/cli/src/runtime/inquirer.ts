/** The prompts that hubctl uses: without the editor, which would double the size of the package for npm. */
export { checkbox, confirm, input, password, search } from '@inquirer/prompts';
