using System.Diagnostics;
using Microsoft.AspNetCore.Mvc;

namespace Media.Controllers;

public record ClipRequest(string Title, int Start, int Length, string Filter);

[ApiController]
[Route("media")]
public class MediaController : ControllerBase
{
    [HttpPost("clip")]
    public async Task<IActionResult> Clip(ClipRequest body)
    {
        var info = new ProcessStartInfo("ffmpeg") { RedirectStandardError = true };
        info.ArgumentList.Add("-ss");
        info.ArgumentList.Add(body.Start.ToString());
        info.ArgumentList.Add("-i");
        info.ArgumentList.Add("/srv/media/source.mp4");
        info.ArgumentList.Add("-metadata");
        info.ArgumentList.Add("title=" + body.Title);
        info.ArgumentList.Add("/srv/media/clip.mp4");
        using var p = Process.Start(info)!;
        await p.WaitForExitAsync();
        return Ok(p.ExitCode);
    }

    [HttpPost("filter")]
    public async Task<IActionResult> Filter(ClipRequest body)
    {
        var info = new ProcessStartInfo
        {
            FileName = "/bin/bash",
            Arguments = $"-c \"media-filter --name {body.Filter} < /srv/media/source.mp4\"",
        };
        using var p = Process.Start(info)!;
        await p.WaitForExitAsync();
        return Ok(p.ExitCode);
    }

    [HttpPost("label/{label}")]
    public IActionResult Label(string label)
    {
        Process.Start("cmd.exe", "/c media-label " + label + " >> label.log");
        return Accepted();
    }
}
