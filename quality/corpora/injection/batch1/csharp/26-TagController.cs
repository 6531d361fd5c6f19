using System.Diagnostics;
using Microsoft.AspNetCore.Mvc;

namespace Music;

[ApiController]
[Route("tag")]
public class TagController : ControllerBase
{
    public record TagRequest(string Title, string Genre, string Album);

    [HttpPost]
    public IActionResult Post(TagRequest t)
    {
        var info = new ProcessStartInfo("id3tag") { UseShellExecute = false };
        info.ArgumentList.Add("--song=" + t.Title);
        info.ArgumentList.Add("/srv/track.mp3");
        using var p = Process.Start(info);
        p!.WaitForExit();
        return p.ExitCode == 0 ? NoContent() : StatusCode(500);
    }

    [HttpPost("genre")]
    public IActionResult Genre(TagRequest t)
    {
        var info = new ProcessStartInfo("/bin/sh");
        info.ArgumentList.Add("-c");
        info.ArgumentList.Add("id3tag --genre=" + t.Genre + " /srv/track.mp3");
        using var p = Process.Start(info);
        return Accepted();
    }

    [HttpPost("album")]
    public IActionResult Album(TagRequest t)
    {
        using var p = Process.Start("cmd.exe", new[] { "/c", "id3tag --album=" + t.Album + " D:\\track.mp3" });
        return Accepted();
    }
}
