using System;
using System.IO;
using System.Linq;
using System.Net;
using System.Net.Sockets;
using System.Threading.Tasks;

namespace Planetarium;

public abstract class Verb
{
    public abstract string Name { get; }
    public abstract Task<string> Run(string argument);
}

public class ShowVerb : Verb
{
    private readonly string _shows = Path.GetFullPath("/srv/dome/shows");

    public override string Name => "SHOW";

    public override async Task<string> Run(string argument)
    {
        var full = Path.GetFullPath(argument, _shows);
        if (!full.StartsWith(_shows, StringComparison.Ordinal))
        {
            return "403";
        }
        return await File.ReadAllTextAsync(full);
    }
}

public class StarVerb : Verb
{
    public override string Name => "STAR";

    public override Task<string> Run(string argument)
    {
        var lines = File.ReadLines("/srv/dome/catalogue/" + argument);
        return Task.FromResult(string.Join('\n', lines.Take(100)));
    }
}

public class CueVerb : Verb
{
    public override string Name => "CUE";

    public override async Task<string> Run(string argument)
    {
        if (argument != Path.GetFileName(argument) || argument is "." or ".." or "")
        {
            return "400";
        }
        return await File.ReadAllTextAsync(Path.Combine("/srv/dome/cues", argument));
    }
}

public class NoteVerb : Verb
{
    public override string Name => "NOTE";

    public override async Task<string> Run(string argument)
    {
        var files = Directory.GetFiles("/srv/dome/notes", "*.txt");
        var match = files.FirstOrDefault(f => Path.GetFileNameWithoutExtension(f) == argument);
        return match is null ? "404" : await File.ReadAllTextAsync(match);
    }
}

public static class Program
{
    private static readonly Verb[] Verbs = { new ShowVerb(), new StarVerb(), new CueVerb(), new NoteVerb() };

    public static async Task Main()
    {
        var listener = new TcpListener(IPAddress.Any, 7070);
        listener.Start();
        while (true)
        {
            var client = await listener.AcceptTcpClientAsync();
            _ = Task.Run(() => Serve(client));
        }
    }

    private static async Task Serve(TcpClient client)
    {
        using var _ = client;
        await using var stream = client.GetStream();
        using var reader = new StreamReader(stream);
        await using var writer = new StreamWriter(stream) { AutoFlush = true };
        while (await reader.ReadLineAsync() is { } line)
        {
            var parts = line.Split(' ', 2);
            var verb = Verbs.FirstOrDefault(v => v.Name == parts[0]);
            await writer.WriteLineAsync(verb is null ? "405" : await verb.Run(parts.ElementAtOrDefault(1) ?? ""));
        }
    }
}
