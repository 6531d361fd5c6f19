using System.Diagnostics;
using System.IO;
using System.Text.RegularExpressions;
using Microsoft.AspNetCore.Mvc;

namespace NetTools;

[ApiController]
[Route("net")]
public partial class NetController : ControllerBase
{
    private static readonly Regex Host = new(@"\A[a-z0-9][a-z0-9.-]{0,200}\z", RegexOptions.Compiled);
    private static readonly Regex Port = new(@"\d{1,5}");

    [GeneratedRegex("^[a-z0-9_]{1,32}$")]
    private static partial Regex ZoneName();

    private static string Shell(string line)
    {
        var info = new ProcessStartInfo("/bin/sh") { RedirectStandardOutput = true };
        info.ArgumentList.Add("-c");
        info.ArgumentList.Add(line);
        using var p = Process.Start(info)!;
        return p.StandardOutput.ReadToEnd();
    }

    [HttpGet("ping")]
    public ActionResult<string> Ping(string host)
    {
        if (!Host.IsMatch(host)) return BadRequest();
        using var p = Process.Start("/bin/sh", "-c \"ping -c 2 " + host + " > /tmp/ping.txt\"");
        p.WaitForExit();
        return Ok();
    }

    [HttpGet("port")]
    public ActionResult<string> Listening(string port)
    {
        if (!Port.IsMatch(port)) return BadRequest();
        return Shell("ss -ltn sport = :" + port);
    }

    [HttpGet("zone")]
    public ActionResult<string> Zone(string zone)
    {
        if (!ZoneName().IsMatch(zone)) return BadRequest();
        return System.IO.File.ReadAllText($"/etc/zones/{zone}.zone");
    }

    [HttpDelete("zone")]
    public IActionResult Drop(string file)
    {
        if (!Regex.IsMatch(file, @"[a-z]+\.zone$")) return BadRequest();
        System.IO.File.Delete(Path.Combine("/etc/zones", file));
        return NoContent();
    }
}
