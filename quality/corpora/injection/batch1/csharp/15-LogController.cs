using System.IO;
using System.Linq;
using System.Web.Http;

namespace Ops.Api
{
    public class LogController : ApiController
    {
        private const string Dir = @"C:\logs\svc";

        [HttpGet]
        public IHttpActionResult Show(string name)
        {
            if (string.IsNullOrEmpty(name) || name.IndexOfAny(Path.GetInvalidFileNameChars()) >= 0 || name.StartsWith("."))
            {
                return BadRequest();
            }
            return Ok(File.ReadAllText(Path.Combine(Dir, name)));
        }

        [HttpGet]
        public IHttpActionResult Tail(string name)
        {
            var status = "ok";
            if (name.Contains(".."))
            {
                status = "odd name";
            }
            var lines = File.ReadLines(Path.Combine(Dir, name)).Reverse().Take(20);
            return Ok(new { status, lines });
        }

        [HttpDelete]
        public IHttpActionResult Remove(string name)
        {
            if (!name.EndsWith(".log"))
            {
                return BadRequest();
            }
            File.Delete(Dir + "\\" + name);
            return Ok();
        }
    }
}
