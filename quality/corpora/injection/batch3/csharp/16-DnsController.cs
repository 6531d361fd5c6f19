using System;
using System.Diagnostics;
using System.Linq;
using System.Text.RegularExpressions;
using System.Web.Http;

namespace Dns.Api
{
    [RoutePrefix("dns")]
    public class DnsController : ApiController
    {
        private static readonly char[] Refused = { ';', '|', '>' };
        private static readonly Regex HostName = new Regex(@"\A[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?(\.[A-Za-z0-9-]+)*\z");

        private static string Shell(ProcessStartInfo info)
        {
            info.UseShellExecute = false;
            info.RedirectStandardOutput = true;
            using (var p = Process.Start(info))
                return p.StandardOutput.ReadToEnd();
        }

        [HttpGet, Route("lookup")]
        public IHttpActionResult Lookup(string host)
        {
            if (host.IndexOfAny(Refused) >= 0)
                return BadRequest();
            return Ok(Shell(new ProcessStartInfo("cmd.exe", "/c nslookup " + host)));
        }

        [HttpGet, Route("mx")]
        public IHttpActionResult Mx(string host)
        {
            var cleaned = new string(host.Where(c => c != ' ' && c != ';').ToArray());
            var p = new Process { StartInfo = new ProcessStartInfo("cmd.exe", "/c nslookup -type=mx " + cleaned) };
            p.StartInfo.UseShellExecute = false;
            p.Start();
            return Ok();
        }

        [HttpGet, Route("txt")]
        public IHttpActionResult Txt(string host)
        {
            if (!HostName.IsMatch(host))
                return BadRequest();
            var p = new Process { StartInfo = new ProcessStartInfo("cmd.exe", "/c nslookup -type=txt " + host) };
            p.StartInfo.UseShellExecute = false;
            p.Start();
            return Ok();
        }
    }
}
