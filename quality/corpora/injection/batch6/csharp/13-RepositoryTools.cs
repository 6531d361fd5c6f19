using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Text.RegularExpressions;
using System.Threading.Tasks;
using Microsoft.AspNetCore.Mvc;

namespace Forge.Tools
{
    public sealed class Git
    {
        private readonly ProcessStartInfo _info = new("git")
        {
            WorkingDirectory = "/srv/forge",
            RedirectStandardOutput = true,
        };

        public Git Arg(string value)
        {
            _info.ArgumentList.Add(value);
            return this;
        }

        public async Task<string> RunAsync()
        {
            using var process = Process.Start(_info);
            var output = await process.StandardOutput.ReadToEndAsync();
            await process.WaitForExitAsync();
            return output;
        }
    }

    [ApiController]
    [Route("repo")]
    public class RepositoryTools : ControllerBase
    {
        private static readonly Regex Branch = new("^[A-Za-z0-9][A-Za-z0-9/_.-]*$");

        [HttpGet("remote")]
        public Task<string> Remote([FromQuery] string url)
        {
            return new Git().Arg("ls-remote").Arg("--tags").Arg(url).RunAsync();
        }

        [HttpGet("blame")]
        public Task<string> Blame([FromQuery] string file)
        {
            return new Git().Arg("blame").Arg("--porcelain").Arg("--").Arg(file).RunAsync();
        }

        [HttpGet("tip")]
        public async Task<IActionResult> Tip([FromQuery] string branch)
        {
            if (!Branch.IsMatch(branch))
            {
                return BadRequest();
            }
            return Ok(await new Git().Arg("rev-parse").Arg(branch).RunAsync());
        }

        [HttpGet("churn")]
        public async Task<IActionResult> Churn([FromQuery] string branch)
        {
            var info = new ProcessStartInfo("sh") { RedirectStandardOutput = true };
            info.ArgumentList.Add("-c");
            info.ArgumentList.Add($"cd /srv/forge && git log --numstat {Uri.UnescapeDataString(branch)} | awk '{{s+=$1}} END {{print s}}'");
            using var process = Process.Start(info);
            return Ok(await process.StandardOutput.ReadToEndAsync());
        }

        [HttpPost("note")]
        public async Task<IActionResult> Note([FromForm] string text)
        {
            var info = new ProcessStartInfo("sh");
            info.ArgumentList.Add("-c");
            info.ArgumentList.Add("cd /srv/forge && printf '%s' \"$NOTE\" | git notes add -f -F -");
            info.Environment["NOTE"] = text;
            using var process = Process.Start(info);
            await process.WaitForExitAsync();
            return NoContent();
        }

        [HttpPost("tag")]
        public async Task<IActionResult> Tag([FromForm] string message, [FromForm] int build)
        {
            var quoted = "'" + message.Replace("'", "\\'") + "'";
            using var process = Process.Start("sh", new List<string> { "-c", $"cd /srv/forge && git tag -a build-{build} -m {quoted}" });
            await process.WaitForExitAsync();
            return NoContent();
        }
    }
}
