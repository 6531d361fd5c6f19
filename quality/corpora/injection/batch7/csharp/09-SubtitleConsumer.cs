using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.IO;
using System.Threading.Tasks;
using CliWrap;
using MassTransit;

namespace Broadcast.Subtitles;

public record SubtitleReady(Guid Programme, string Language, string Title, string SourceUri);

public class SubtitleConsumer : IConsumer<SubtitleReady>
{
    private static readonly IReadOnlyDictionary<string, string> Tracks = new Dictionary<string, string>
    {
        ["cy"] = "welsh",
        ["gd"] = "gaelic",
        ["kw"] = "cornish",
    };

    public async Task Consume(ConsumeContext<SubtitleReady> context)
    {
        var message = context.Message;
        var source = await Local(message);
        await Mux(message, source);
        await Announce(message);
        Verify(message, source);
    }

    private static async Task<string> Local(SubtitleReady message)
    {
        var name = Uri.UnescapeDataString(new Uri(message.SourceUri).AbsolutePath).TrimStart('/');
        var source = Path.Combine(@"D:\subtitles\incoming", name);
        var text = await File.ReadAllTextAsync(source);
        if (text.Length == 0)
        {
            throw new InvalidDataException("empty subtitle");
        }
        return source;
    }

    private static Task Mux(SubtitleReady message, string source)
    {
        return Cli.Wrap("mkvmerge")
            .WithArguments(a => a
                .Add("-o").Add($@"D:\out\{message.Programme:N}.mkv")
                .Add("--track-name").Add("0:" + message.Title)
                .Add(source))
            .ExecuteAsync();
    }

    private static async Task Announce(SubtitleReady message)
    {
        var title = message.Title.Replace("\"", "'");
        using var process = Process.Start("cmd.exe", $"/c echo {title} >> D:\\out\\announcements.txt");
        await process.WaitForExitAsync();
    }

    private static void Verify(SubtitleReady message, string source)
    {
        if (!Tracks.TryGetValue(message.Language, out var track))
        {
            throw new NotSupportedException(message.Language);
        }
        var info = new ProcessStartInfo("cmd.exe")
        {
            Arguments = $"/c D:\\tools\\spell.bat {track} {message.Programme:N} > D:\\out\\spell.txt",
            CreateNoWindow = true,
        };
        using var process = Process.Start(info);
        process?.WaitForExit();
    }
}
