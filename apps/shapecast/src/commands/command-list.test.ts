import { Command } from 'commander'
import { describe, expect, it } from 'vitest'
import { COMMANDS } from './command-list.ts'

describe('the list of commands', () => {
  it.each(COMMANDS)('says of $name what the command itself declares', async ({ name, words, load }) => {
    const command = new Command(name)
    const setUp = await load()
    setUp(command)
    const named = command.registeredArguments.map((one) => `<${one.name()}${one.variadic ? '...' : ''}>`)
    const declared = command.commands.length > 0 ? ['<command>'] : named
    expect(words.split(' ').filter((word) => word.startsWith('<'))).toEqual(declared)
    expect(words.includes('[options]')).toBe(command.options.length > 0)
  })
})
