using System.IO;
using System.Web;

namespace Ops.Handlers
{
    internal class LogSelection
    {
        public string Name;
        public int Tail;
        private readonly string _folder = "C:\\inetpub\\logs";

        public LogSelection(HttpRequest request)
        {
            Name = request.QueryString["name"];
            int.TryParse(request.QueryString["tail"], out Tail);
        }

        public string FullName
        {
            get { return Path.Combine(_folder, Name); }
        }

        public string Part
        {
            get { return Path.Combine(_folder, "part-" + Tail + ".log"); }
        }
    }

    internal class LogReader
    {
        private readonly LogSelection _selection;

        public LogReader(LogSelection selection)
        {
            _selection = selection;
        }

        public string All()
        {
            return File.ReadAllText(_selection.FullName);
        }

        public void Empty()
        {
            using (var writer = new StreamWriter(_selection.FullName, false))
                writer.WriteLine("emptied");
        }

        public string OnePart()
        {
            return File.ReadAllText(_selection.Part);
        }
    }

    public class LogHandler : IHttpHandler
    {
        public bool IsReusable
        {
            get { return false; }
        }

        public void ProcessRequest(HttpContext context)
        {
            var reader = new LogReader(new LogSelection(context.Request));
            if (context.Request.HttpMethod == "DELETE")
                reader.Empty();
            context.Response.ContentType = "text/plain";
            context.Response.Write(context.Request["all"] == "1" ? reader.All() : reader.OnePart());
        }
    }
}
