using System;
using System.Diagnostics;
using System.IO;
using System.IO.Compression;
using System.Text.RegularExpressions;
using System.Threading.Tasks;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Mvc;

namespace Hosting.Deploy
{
    [ApiController]
    [Route("deploy")]
    public class SiteDeployer : ControllerBase
    {
        private static readonly Regex SiteName = new(@"\A[a-z0-9][a-z0-9-]{0,30}\z");
        private readonly string _sites = Path.GetFullPath("/var/www/sites");

        [HttpPost("zip")]
        public IActionResult Zip(IFormFile package)
        {
            using var archive = new ZipArchive(package.OpenReadStream(), ZipArchiveMode.Read);
            foreach (var entry in archive.Entries)
            {
                if (entry.FullName.EndsWith('/'))
                {
                    continue;
                }
                var destination = Path.Combine(_sites, "default", entry.FullName);
                Directory.CreateDirectory(Path.GetDirectoryName(destination));
                entry.ExtractToFile(destination, overwrite: true);
            }
            return NoContent();
        }

        [HttpPost("{site}/zip")]
        public IActionResult ZipTo(string site, IFormFile package)
        {
            if (!SiteName.IsMatch(site))
            {
                return BadRequest("site");
            }
            var root = Path.Combine(_sites, site) + Path.DirectorySeparatorChar;
            using var archive = new ZipArchive(package.OpenReadStream(), ZipArchiveMode.Read);
            foreach (var entry in archive.Entries)
            {
                var destination = Path.GetFullPath(Path.Combine(root, entry.FullName));
                if (!destination.StartsWith(root, StringComparison.Ordinal))
                {
                    throw new InvalidDataException("entry outside of site");
                }
                if (entry.Name.Length > 0)
                {
                    entry.ExtractToFile(destination, true);
                }
            }
            return NoContent();
        }

        [HttpPost("backup")]
        public async Task<IActionResult> Backup([FromQuery] string site)
        {
            if (!Directory.Exists("/var/www/sites/" + site.Split('/')[0]))
            {
                return NotFound();
            }
            await Bash($"tar czf /var/backups/site.tgz -C /var/www/sites {site}");
            return NoContent();
        }

        [HttpPost("restart")]
        public async Task<IActionResult> Restart([FromQuery] string site)
        {
            if (site is null || !SiteName.IsMatch(site))
            {
                return BadRequest();
            }
            using var process = Process.Start("/bin/sh", new[] { "-c", $"pkill -HUP -u web-{site} || true" });
            await process.WaitForExitAsync();
            return NoContent();
        }

        [HttpGet("log")]
        public IActionResult Log([FromQuery] string site)
        {
            try
            {
                using var reader = System.IO.File.OpenText($"/var/log/sites/{site}.log");
                return Content(reader.ReadToEnd());
            }
            catch (FileNotFoundException)
            {
                return NotFound();
            }
        }

        private static async Task Bash(string command)
        {
            using var process = Process.Start("/bin/bash", new[] { "-c", command });
            await process.WaitForExitAsync();
        }
    }
}
