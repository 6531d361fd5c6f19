using System.Diagnostics;
using System.Threading.Tasks;
using Microsoft.AspNetCore.Mvc;

namespace Media;

public record Edit(string Title, string Box, string At);

[ApiController]
[Route("media")]
public class MediaTools : ControllerBase
{
    [HttpPost("title")]
    public async Task<IActionResult> Title(Edit edit)
    {
        var psi = new ProcessStartInfo { FileName = "ffmpeg", UseShellExecute = false };
        foreach (var a in new[] { "-i", "/srv/in.mp4", "-metadata", "title=" + edit.Title, "/srv/out.mp4" })
        {
            psi.ArgumentList.Add(a);
        }
        using var p = Process.Start(psi)!;
        await p.WaitForExitAsync();
        return Ok();
    }

    [HttpPost("crop")]
    public async Task<IActionResult> Crop(Edit edit)
    {
        var psi = new ProcessStartInfo("sh") { ArgumentList = { "-c", "ffmpeg -i /srv/in.mp4 -vf crop=" + edit.Box + " /srv/out.mp4" } };
        using var p = Process.Start(psi)!;
        await p.WaitForExitAsync();
        return Ok();
    }

    [HttpPost("frame")]
    public IActionResult Frame(Edit edit)
    {
        var process = new Process();
        process.StartInfo.FileName = "cmd.exe";
        process.StartInfo.Arguments = "/c ffmpeg -ss " + edit.At + " -i C:\\srv\\in.mp4 C:\\srv\\f.png";
        process.StartInfo.UseShellExecute = false;
        process.Start();
        process.WaitForExit();
        return Ok(process.ExitCode);
    }
}
